# Runs PostgreSQL and stops it when nobody uses it any more.
#
# Arguments: the program, then its own arguments. Standard input is the read end of a named pipe of which every process that
# uses the server holds the write end. The kernel closes it with the process, however that ends, and the last one brings the
# end of the file here: then a fast shutdown (SIGINT), and after 10 s an immediate one (SIGQUIT). The watcher outlives this
# script when that is killed.
exec 3<&0 0</dev/null
"$@" 3<&- &
server=$!
(
  while read -r _ <&3; do :; done
  exec 3<&-
  kill -INT "$server" 2>/dev/null || exit 0
  tenths=0
  while kill -0 "$server" 2>/dev/null; do
    tenths=$((tenths + 1))
    if [ "$tenths" -eq 100 ]; then kill -QUIT "$server" 2>/dev/null; fi
    if [ "$tenths" -ge 150 ]; then exit 0; fi
    sleep 0.1
  done
) &
watcher=$!
exec 3<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
