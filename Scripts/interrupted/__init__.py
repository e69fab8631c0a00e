"""Parts of Scripts/make-interrupted.py and Scripts/check-interrupted.py."""
