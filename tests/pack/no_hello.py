"""Never says hello."""

from decent import hang

hang()
