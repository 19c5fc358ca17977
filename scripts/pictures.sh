#!/bin/sh
# Paints the documentation's pictures into resources/pictures, or into PICTURES where that is set:
#   pictures.sh COMMAND...      such as `.venv/bin/python -m explorer`
set -eu

# Nobody's own choice of language, theme or text size shows in them.
XDG_CONFIG_HOME=$(mktemp -d)
LANGUAGE=en
export XDG_CONFIG_HOME LANGUAGE
trap 'rm -rf "$XDG_CONFIG_HOME"' EXIT

pictures=${PICTURES:-resources/pictures}
mkdir -p "$pictures/zh"
cat=examples/cat-likes-fish.json
journey=examples/your-journey.json
trace=examples/tiny-transformer.safetensors

paint() {
    name=$1
    shift
    "$@" -o "$pictures/$name.png"
}

paint explore "$@" render "$cat" --stage S --select cat:cloud
paint strip "$@" render "$cat" --select cat:cloud --view strip
paint movement "$@" render "$cat" --stage K --movement Wk
paint outputs "$@" render "$cat" --stage O --select fish --view plane
paint journey "$@" render "$journey" --edges attention --select one --view plane
paint compare "$@" render "$cat" --view compare
paint sqrt-d "$@" render "$cat" --view sqrt_d
paint projector "$@" render "$cat" --stage S --select cat:cloud --size 1024x768 --percent 125
paint dark "$@" render "$cat" --stage A --select cat:fish --theme dark
paint train "$@" render "$trace" --epoch 30
paint train-spaces "$@" render "$trace" --epoch 15 --head 1 --view spaces
paint train-dark "$@" render "$trace" --epoch 60 --sample 4 --head 2 --size 1024x768 --theme dark

# The Chinese pages have their own where there is much to read.
LANGUAGE=zh
paint zh/explore "$@" render "$cat" --stage S --select cat:cloud
paint zh/strip "$@" render "$cat" --select cat:cloud --view strip
paint zh/compare "$@" render "$cat" --view compare
paint zh/sqrt-d "$@" render "$cat" --view sqrt_d
paint zh/train "$@" render "$trace" --epoch 30
