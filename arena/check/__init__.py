"""Does a program speak the protocol? Tried at the real limits, judged by the referee's code, and explained."""
