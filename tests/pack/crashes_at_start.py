"""Never gets as far as hello."""

import a_module_that_does_not_exist  # noqa: F401
