"""Everything that the models are trained and measured on is written by these modules, from a seed."""
