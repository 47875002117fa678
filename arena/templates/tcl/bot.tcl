# A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
fconfigure stdout -buffering line ;# or the answers would wait in a buffer

# The answer to one request, as the fields behind its id. Change this. `ask` and `rules` are dictionaries with
# the fields of protocol.md.
proc decide {ask rules} {
    set hand [dict get $ask hand] ;# such as AS 4C TD
    if {[dict get $ask type] eq "play"} {
        # The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
        set rank [lindex [dict get $ask ranks] 0]
        foreach other [dict get $ask ranks] {
            if {[llength [held $hand $other]] > [llength [held $hand $rank]]} {set rank $other}
        }
        set cards [held $hand $rank]
        if {[dict get $rules max_cards] ne "null"} {
            set cards [lrange $cards 0 [dict get $rules max_cards]-1]
        }
        if {![llength $cards]} {set cards [lrange $hand 0 0]}
        return ",\"rank\":\"$rank\",\"cards\":\[\"[join $cards {","}]\"\]"
    }
    # Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    set number [expr {[dict get $ask count] + [llength [held $hand [dict get $ask rank]]]}]
    return ",\"challenge\":[expr {$number > 4 * [dict get $rules decks] ? {true} : {false}}]"
}

proc held {hand rank} {lsearch -all -inline -glob $hand $rank?}

# The JSON value that stands at `at` in the text: an object is a dictionary, a list a list, all others are
# words; escapes are left as they are. `at` moves on behind it, and behind a comma or colon.
proc read_json {text at_name} {
    upvar $at_name at
    regexp -indices -start $at {\s*(["\[\{]|[^\s,:"\[\]\{\}]+)} $text -> found
    lassign $found first at
    incr at
    set value [string range $text {*}$found]
    if {$value eq "\""} {
        regexp -indices -start $at {\A((?:[^"\\]|\\.)*)"} $text all inside
        set value [string range $text {*}$inside]
        set at [expr {[lindex $all 1] + 1}]
    } elseif {$value in {"\[" "\{"}} {
        for {set value {}} {![regexp -start $at {\A\s*[\]\}]} $text]} {} {lappend value [read_json $text at]}
        regexp -indices -start $at {\A\s*[\]\}]} $text all
        set at [expr {[lindex $all 1] + 1}]
    }
    regexp -indices -start $at {\A\s*[,:]?} $text all
    set at [expr {[lindex $all 1] + 1}]
    return $value
}

while {[gets stdin line] >= 0} {
    set at 0
    set ask [read_json $line at]
    if {[dict get $ask type] eq "hello"} {set rules [dict get $ask rules]}
    if {[dict exists $ask id]} { # a request; events have no id and want no answer
        set answer [expr {[dict get $ask type] eq "hello" ? "" : [decide $ask $rules]}]
        puts "{\"id\":\"[dict get $ask id]\"$answer}" ;# print nothing else: puts stderr is free
    }
}
