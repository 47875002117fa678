"""Never gets as far as hello."""
