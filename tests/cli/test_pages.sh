#!/usr/bin/env bash
# Every command that the README, the guide and the pages of methods show: the program accepts it as it stands, up to the files
# that are not there. What a page does with files is run whole where data can be made: test_readme.sh, test_guide.sh.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
root=$here/../..
mkdir bin
ln -s "$RADIOCITY" bin/radiocity
count=0
for page in "$root/README.md" "$root"/docs/guide/*.md "$root"/docs/methods/*.md; do
  while IFS= read -r command; do
    case "$command" in
      "radiocity bench"* | "radiocity demo"*) continue ;; # need no file, and work for long
    esac
    count=$((count + 1))
    mkdir "$work/$count"
    run env -C "$work/$count" PATH="$work/bin:$PATH" timeout 4 bash -c "$command"
    last="$(basename "$page"): $command"
    # 4: a file is not there; 7: a library is not in this build; 124: it works
    case $status in
      0 | 4 | 7 | 124) pass ;;
      *) fail "expected a command that the program accepts" ;;
    esac
  done < <("$python" "$here/page_commands.py" "$page")
done
if [[ $count -ge 70 ]]; then pass; else fail "expected seventy commands, found $count"; fi
finish
