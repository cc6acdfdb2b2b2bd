#!/bin/sh
# Checks one property of a model with NuSMV, without counterexamples and with Kermode's variable
# order: the order of both tools is the same. Usage: nusmv.sh MODEL PROPERTY. The variable KERMODE
# names the command of Kermode, if it is not on the PATH.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${KERMODE:-kermode}" model "$1" --write-order "$folder/order" > "$folder/summary"
cat > "$folder/commands" <<END
read_model -i $1
flatten_hierarchy
encode_variables -i $folder/order
build_model
check_ltlspec -P $2
quit
END
NuSMV -dcx -int -source "$folder/commands"
