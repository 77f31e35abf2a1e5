#!/usr/bin/env bash
# The documents hold: relative links lead to files and headings, the paths and make targets they name exist, and every
# command and option they show is in --help; the README of a folder names files that are there.
#   RADIOCITY=build/radiocity tests/check_docs.sh [ROOT]   ROOT: another tree to check, for the check's own test
set -euo pipefail
: "${RADIOCITY:?names the program under test}"
RADIOCITY=$(realpath "$RADIOCITY")
cd "${1:-$(dirname "$0")/..}"
misspelt=" --frequncy-mhz " # shown in exit-status.md on purpose
bad=0 link_count=0 path_count=0 option_count=0

complain() {
  echo "docs: $*"
  bad=1
}

# Options by command, "scene import" for one with actions; read from the program, so that a new command needs no line
# here.
declare -A options
all=""
listed() { sed -nE '/^  radiocity /d; s/^  ([a-z]+) .*/\1/p'; }
learn() { # command words
  options[$*]=" $("$RADIOCITY" "$@" --help all | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u | tr '\n' ' ')"
  all+=${options[$*]}
}
for command in $("$RADIOCITY" --help | listed); do
  learn "$command"
  text=$("$RADIOCITY" "$command" --help)
  if [[ "$text" == *" ACTION"* ]]; then
    for action in $(listed <<< "$text"); do learn "$command" "$action"; done
  fi
done

without_code() { awk '/^ *```/ { code = !code; next } !code' "$1"; }
anchors() { without_code "$1" | sed -nE 's/^#+ +//p' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'; }

check_links() { # page
  local link path anchor target
  while IFS= read -r link; do
    [[ "$link" == *://* || "$link" == mailto:* ]] && continue
    path=${link%%#*} anchor=""
    [[ "$link" == *"#"* ]] && anchor=${link#*#}
    target=$(dirname "$1")/$path
    [[ -n "$path" ]] || target=$1
    link_count=$((link_count + 1))
    if [[ ! -e "$target" ]]; then
      complain "$1 links to $link, which is not there"
    elif [[ -n "$anchor" && $'\n'$(anchors "$target")$'\n' != *$'\n'"$anchor"$'\n'* ]]; then
      complain "$1 links to $link, but there is no such heading"
    fi
  done < <(without_code "$1" | grep -oE '\]\([^) ]+\)' | sed -E 's/^\]\(//; s/\)$//')
}

# `Paths` and file names of sources: a path from the root, from src/, include/ or tests/, or from the page; a file name alone
# may lie anywhere. Words in capitals stand for names of the reader's; what a build or a run makes is not looked for.
files=$'\n'$(find . -type f -not -path './build/*' -not -path './.git/*' | sed 's|^\./||')$'\n'
# shellcheck disable=SC2016 # backquotes are those of Markdown
paths() { # page
  without_code "$1" | grep -oE '`[A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]+)*/?`' | tr -d '`' | sed "s|/$||" | grep -vE '(^|[/_])[A-Z]+([./]|$)' | sort -u
}

check_paths() { # page
  local path start
  while IFS= read -r path; do
    case "$path" in
      .*) continue ;; # an ending
      *.c | *.h | *.cl | *.sh | *.py | *.cmake)
        # shellcheck disable=SC2053 # a pattern stays one
        [[ "$path" == */* || "$files" != *"/"$path$'\n'* ]] || continue ;;
      */*) start=${path%%/*} && [[ -d "$start" || -d "src/$start" || -d "tests/$start" ]] && [[ "$start" != build ]] || continue ;;
      *) continue ;;
    esac
    path_count=$((path_count + 1))
    compgen -G "$path" > /dev/null || compgen -G "src/$path" > /dev/null || compgen -G "include/$path" > /dev/null ||
      compgen -G "tests/$path" > /dev/null || compgen -G "$(dirname "$1")/$path" > /dev/null ||
      complain "$1 names $path, which is not there"
  done < <(paths "$1")
}

# `make target`, in code and in spans.
# shellcheck disable=SC2016 # backquotes are those of Markdown
check_targets() { # page
  local target
  while IFS= read -r target; do
    path_count=$((path_count + 1))
    grep -qE "^$target:" Makefile || complain "$1 shows 'make $target', which is no target"
  done < <(grep -oE '(^|`)make [a-z][a-z-]*' "$1" | sed 's/.*make //' | sort -u)
}

# Lines of code and `spans` that start the program, without its name; lines that end in a backslash go on.
# shellcheck disable=SC2016 # backquotes are those of Markdown
commands() { # page
  awk '/^ *```/ { code = !code; next } code || /^    / { if (sub(/\\$/, "")) { held = held $0; next }
       line = held $0; held = ""; sub(/^ *(\$ )?/, "", line); if (line ~ /^radiocity [a-z]/) print line }' "$1" |
    sed -E 's/ # .*//; s/^radiocity //'
  without_code "$1" | grep -oE '`radiocity [a-z][^`]*`' | sed -E 's/^`radiocity //; s/`$//'
}

check_commands() { # page
  local first second rest command option
  while read -r first second rest; do
    command=$first
    [[ -n "$second" && -n "${options[$first $second]:-}" ]] && command="$first $second"
    if [[ -z "${options[$command]:-}" ]]; then
      complain "$1 shows 'radiocity $command', which is no command"
      continue
    fi
    for option in $(grep -oE -- '(^| )--[a-z][a-z0-9-]*' <<< "$second $rest"); do
      option_count=$((option_count + 1))
      [[ "${options[$command]} --help $misspelt" == *" $option "* ]] ||
        complain "$1 gives 'radiocity $command' the option $option, which its --help does not have"
    done
  done < <(commands "$1")
}

check_options() { # page: `--option` on its own
  local option
  while IFS= read -r option; do
    option_count=$((option_count + 1))
    [[ "$all --help " == *" $option "* ]] || complain "$1 names the option $option, which no --help has"
  done < <(without_code "$1" | grep -oE '`--[a-z][a-z0-9-]*' | tr -d '`' | sort -u)
}

check_folder() { # README of a folder: `noun.c` stands there or below, beside it, or is named from the root
  local folder name
  folder=$(dirname "$1")
  while IFS= read -r name; do
    path_count=$((path_count + 1))
    [[ "$name" == hdf5.h || -e "$folder/$name" || -e "$name" || -n "$(find "$folder" src include bench -path "*/$name" -print -quit)" ]] ||
      complain "$1 names $name, which is not there"
  done < <(grep -oE '`[A-Za-z0-9_./-]+\.(c|h|cl)`' "$1" | tr -d '`' | sort -u)
}

while IFS= read -r page; do
  check_links "$page"
  case "$page" in
    docs/adr/*) ;; # a decision is not edited when options change
    README.md | CHANGELOG.md | CONTRIBUTING.md | docs/*)
      [[ "$page" == CHANGELOG.md ]] || check_paths "$page" # which tells of files that are gone
      check_targets "$page"
      check_commands "$page"
      check_options "$page" ;;
    src/*README.md | cli/*README.md | bench/*README.md) check_folder "$page" ;;
  esac
done < <(find . -name '*.md' -not -path './build*' -not -path './.git/*' | sed 's|^\./||' | sort)
[[ $bad -eq 0 ]] && echo "docs: $link_count links, $path_count paths and targets, $option_count options hold"
exit $bad
