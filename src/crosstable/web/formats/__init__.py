"""How Django writes numbers by itself: as drawings and addresses need them. What people read goes through `words`."""
