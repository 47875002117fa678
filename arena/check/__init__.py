"""Does a program speak the protocol? Tried at the real limits, judged by the code that referees."""
