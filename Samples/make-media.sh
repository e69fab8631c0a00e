#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes the sample media of media/ again: test patterns, tones and the
# prose of note.txt (written by hand for this project, so it is not made here).
# Every file is small, real and decodable, and carries no date, host or path.
# The bytes may differ between versions of the tools; no test relies on them.
#
#   apt-get install ffmpeg imagemagick ghostscript
set -eu
cd "$(dirname "$0")/media"

# ImageMagick draws the still pictures. -strip drops profiles, dates and
# comments, the PNG setting the time chunks it would write all the same; the
# seed makes the random "plasma" clouds, which stand in for photos, repeatable.
convert -size 96x72 pattern:hexagons -fill '#2a6f97' -opaque black \
    -fill '#f4a261' -draw 'circle 48,36 48,14' \
    -depth 8 -strip -define png:exclude-chunks=date,time,tEXt,zTXt picture.png
convert -size 240x180 -seed 7 plasma:'#88b7d8'-'#35524a' -blur 0x1 \
    -strip -sampling-factor 4:2:0 -quality 70 photo.jpg
convert -size 180x240 -seed 21 plasma:'#f2cc8f'-'#6d2e46' -blur 0x1 \
    -strip -sampling-factor 4:2:0 -quality 70 -interlace JPEG photo2.jpg
convert -size 540x960 gradient:'#264653'-'#e9c46a' \
    -fill '#e76f51' -draw 'circle 270,620 270,500' \
    -fill '#1d3557' -draw 'polygon 0,960 0,760 180,640 340,780 540,660 540,960' \
    -strip -sampling-factor 4:2:0 -quality 50 wallpaper.jpg
# The inline preview: a thumbnail of photo.jpg of less than 1 KB.
convert photo.jpg -resize 40x30 -strip -sampling-factor 4:2:0 -quality 30 preview.jpg

# ffmpeg encodes tones and its moving test pattern. bitexact and map_metadata
# keep versions and dates out; filter_units removes the unit (SEI, type 6) in
# which x264 notes its version and options; one thread makes it repeatable.
quiet() { ffmpeg -nostdin -hide_banner -loglevel error -y "$@"; }
quiet -f lavfi -i testsrc2=size=128x96:rate=10:duration=1 \
    -f lavfi -i sine=frequency=440:sample_rate=16000:duration=1 \
    -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
    -c:v libx264 -threads 1 -preset veryslow -crf 38 -pix_fmt yuv420p \
    -bsf:v filter_units=remove_types=6 -c:a aac -b:a 16k -movflags +faststart clip.mp4
quiet -f lavfi -i 'aevalsrc=0.4*sin(2*PI*(180+40*sin(9*t))*t)*(0.5+0.5*sin(20*t)):s=16000:d=2' \
    -map_metadata -1 -fflags +bitexact -flags:a +bitexact -ac 1 -c:a aac -b:a 20k voice.m4a

# Ghostscript turns the first part of note.txt into a page of PDF. The font is
# one of the fourteen every viewer has, so that it need not be embedded; dates,
# identifier and XMP block, which would differ on each run, are left out.
{
    echo '%!PS'
    echo '/Helvetica findfont 11 scalefont setfont 72 770 moveto'
    sed -n '1,16p' note.txt | sed 's/[\\()]/\\&/g; s/.*/gsave (&) show grestore 0 -16 rmoveto/'
    echo '0.16 0.44 0.59 setrgbcolor 72 420 120 60 rectfill showpage'
} | gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sPAPERSIZE=a4 \
    -dEmbedAllFonts=false -dOmitInfoDate=true -dOmitID=true -dOmitXMP=true \
    -sOutputFile=document.pdf -
