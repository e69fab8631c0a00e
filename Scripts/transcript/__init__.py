"""Parts of Scripts/transcripts.py."""
