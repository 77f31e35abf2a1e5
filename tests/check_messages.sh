#!/usr/bin/env bash
# Messages of the library name fields as `name` or `name=value`, never as options of the command line; and each name is an
# option of the program or of a method, so that cli/option_words.c leads its user somewhere.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
bad=0
# Lines with a string that has dashes before a letter or a format; comments that quote one do not count.
if grep -rnE '"[^"]*--[a-z%]' src bench --include='*.c' --include='*.h'; then
  echo "messages: the strings above have dashes of the command line; write \`name\` or \`name=value\`"
  bad=1
fi
count=0
while IFS= read -r name; do
  count=$((count + 1))
  if grep -rqF -e "\"--$name\"" cli || grep -rqF -e "{\"$name\"," src/method; then
    continue
  fi
  echo "messages: \`$name\` is named in a message, but neither the program nor a method has this option:"
  grep -rn "\`$name[=\`]" src bench --include='*.c'
  bad=1
done < <(grep -rhoE '"[^"]*`[a-z][a-z0-9-]*[=`][^"]*"' src bench --include='*.c' | grep -oE '`[a-z][a-z0-9-]*[=`]' | tr -d '`=' | sort -u)
[[ $count -gt 20 ]] || { echo "messages: only $count names found"; bad=1; }
[[ $bad -eq 0 ]] && echo "messages: $count fields named, no dashes"
exit $bad
