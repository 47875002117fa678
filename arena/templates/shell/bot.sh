# A bot for Cheat, for any POSIX shell. What it does is decided in `decide`; the rest reads and answers.
set -f # no word here is a pattern of files
marks='[]["{}]'

# decide: sets `answer` to the fields behind the id. Change this: `value "$ask" KEY` sets `value` to any field.
decide() {
  value "$ask" hand && hand=$value               # such as AS 4C TD
  value "$rules" max_cards && most=${value:-208} # null: no cap
  if value "$ask" type && [ "$value" = play ]; then
    # The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
    value "$ask" ranks && best=-1
    for rank in $value; do
      held "$rank"
      [ $held -le $best ] || { best=$held answer=",\"rank\":\"$rank\",\"cards\":[" due=$cards; }
    done
    set -- $hand && answer="$answer${due:-\"$1\"}]"
  else
    # Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    value "$ask" rank && held "$value"
    value "$ask" count && number=$((value + held)) answer=',"challenge":false'
    value "$rules" decks && [ $number -le $((4 * value)) ] || answer=',"challenge":true'
  fi
}

# held RANK: sets `held` to how many cards of it are in the hand, `cards` to those that may be laid, in JSON.
held() {
  held=0 cards=
  for card in $hand; do
    [ "$card" = "$1${card#?}" ] && held=$((held + 1)) || continue
    [ $held -gt "$most" ] || cards=$cards${cards:+,}\"$card\"
  done
}

# value OBJECT KEY: sets `value` to a field: a string, a number, the words of a list, an object and all behind it.
value() {
  rest=$1 depth=0
  while rest=${rest#"${rest%%$marks*}"} && [ -n "$rest" ]; do
    mark=${rest%"${rest#?}"} rest=${rest#?} string=
    case $mark in [{[]) depth=$((depth + 1)) && continue ;; []}]) depth=$((depth - 1)) && continue ;; esac
    while part=${rest%%\"*} rest=${rest#*\"} slashes=${part##*[!\\]} && [ $((${#slashes} % 2)) = 1 ]; do
      string=$string$part\"
    done
    value=${rest#"${rest%%[! ]*}"}
    [ "$depth$string$part${value%"${value#?}"}" = "1$2:" ] || continue
    value=${value#:} && value=${value#"${value%%[! ]*}"}
    case $value in
      \"*) value=${value#?} && value=${value%%\"*} ;;
      \[*) IFS='[", ' && set -- ${value%%]*} && IFS=' ' && value=$* ;;
      [!{]*) value=${value%%[!0-9]*} ;;
    esac
    return
  done
  return 1
}

while read -r ask; do
  value "$ask" id && id=$value answer= || continue # an event: it wants no answer
  value "$ask" rules && rules=$value || decide
  printf '{"id":"%s"%s}\n' "$id" "$answer" # print nothing else on stdout: >&2 is free
done
