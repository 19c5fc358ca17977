"""A lesson on paper: a PDF to hand out."""
