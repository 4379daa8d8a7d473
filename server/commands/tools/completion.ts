import { say } from '../output.ts'

/** waybill completion SHELL: the scripts ask the program itself, so they are right for the version that is installed. */
export const printCompletion = (_flags: object, shell: 'bash' | 'zsh'): void => say(scripts[shell])

/** A line of an answer is a word; for zsh a colon and what it means follow. */
const scripts = {
  bash: `_waybill() {
  local IFS=$'\\n'
  COMPREPLY=($(WAYBILL_COMPLETE=words waybill "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _waybill waybill`,
  zsh: `_waybill() {
  local -a lines
  lines=("\${(@f)$(WAYBILL_COMPLETE=described waybill "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n \${lines[1]} ]]; then _describe 'waybill' lines; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _waybill waybill`,
}
