/**
 * What a shell loads. All it does is ask: `asp-convert completion --line -- WORDS…` answers with a line for each word that
 * can stand in place of the last one, a tab, and what it is; `:files` as the first line: or a path.
 */

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# asp-convert, for bash: source <(asp-convert completion bash)
_asp_convert() {
  local line value about width=0 i
  local -a values=() abouts=()
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :files ]] && { compopt -o default -o bashdefault 2>/dev/null; continue; }
    value=\${line%%$'\\t'*} about=\${line#*$'\\t'}
    values+=("$value") abouts+=("$about")
    (( \${#value} > width )) && width=\${#value}
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" completion --line -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # What it is stands beside each only where several are shown; the only one is taken as it is.
  for i in "\${!values[@]}"; do
    if (( \${#values[@]} == 1 )) || [[ -z \${abouts[i]} ]] || (( COMP_TYPE == 37 || COMP_TYPE == 42 )); then
      [[ \${values[i]} =~ ^[[:alnum:]_.,:/@%+=-]+$ ]] || values[i]=$(printf %q "\${values[i]}")
      COMPREPLY+=("\${values[i]}")
    else
      COMPREPLY+=("$(printf '%-*s  %s' "$width" "\${values[i]}" "(\${abouts[i]})")")
    fi
  done
  compopt -o nosort 2>/dev/null
}
complete -F _asp_convert asp-convert
`,
  zsh: `#compdef asp-convert
# asp-convert, for zsh: source <(asp-convert completion zsh), or this as _asp-convert in a folder of $fpath
_asp_convert() {
  local line value files
  local -a values
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; continue; fi
    value=\${line%%$'\\t'*}
    values+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]/#\\~/$HOME}" completion --line -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  # A session is found by its title too: what is typed need not begin it.
  (( \${#values} )) && _describe -V 'asp-convert' values -U
  [[ -n $files ]] && _files
}
if [[ \${funcstack[1]} == _asp-convert ]]; then _asp_convert "$@"; else compdef _asp_convert asp-convert; fi
`,
  fish: `# asp-convert, for fish: asp-convert completion fish | source
function __asp_convert_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    for line in ($program completion --line -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c asp-convert -f -k -a '(__asp_convert_complete)'
`,
};
