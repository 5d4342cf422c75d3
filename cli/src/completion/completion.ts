import type { Command } from 'commander'
import { CliError, type Context } from '../context.ts'

type Entry = { readonly path: string; readonly words: readonly string[]; readonly files: boolean }

export function completion(context: Context, shell: string, _options: object, command: Command): void {
  const entries = entriesOf(command.parent!, '')
  const scripts: Record<string, (entries: readonly Entry[]) => string> = { bash, zsh, fish }
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!script) throw new CliError(`There is no completion for ${JSON.stringify(shell)}. Shells: bash, zsh, fish.`)
  context.stdout.write(script(entries))
}

function entriesOf(command: Command, path: string): Entry[] {
  const below = command.commands.flatMap((one) => entriesOf(one, `${path} ${one.name()}`.trim()))
  const options = command.options.flatMap((option) => (option.long ? [option.long] : []))
  const values = command.name() === 'completion' ? ['bash', 'zsh', 'fish'] : []
  const words = [...command.commands.map((one) => one.name()), ...values, ...options, '--help']
  return [{ path, words, files: command.name() === 'bulk' }, ...below]
}

function cases(entries: readonly Entry[]): string {
  return entries
    .map(({ path, words, files }) => `    '${path}') words='${words.join(' ')}'${files ? '; files=1' : ''} ;;`)
    .join('\n')
}

function bash(entries: readonly Entry[]): string {
  return `# assay completion for bash: source <(assay completion bash)
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' files='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [[ " ${pathsOf(entries)} " == *" \${path:+$path/}$word "* ]] && path="\${path:+$path/}$word" ;; esac
  done
  case "\${path//\\// }" in
${cases(entries)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _assay assay
`
}

function zsh(entries: readonly Entry[]): string {
  return `#compdef assay
# assay completion for zsh: source <(assay completion zsh)
_assay() {
  local path_so_far='' choices='' files='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in -*) ;; *) [[ " ${pathsOf(entries)} " == *" \${path_so_far:+$path_so_far/}$word "* ]] && path_so_far="\${path_so_far:+$path_so_far/}$word" ;; esac
  done
  case "\${path_so_far//\\// }" in
${cases(entries).replaceAll("') words='", "') choices='")}
  esac
  compadd -- \${=choices}
  [[ -n $files ]] && _files
}
compdef _assay assay
`
}

function fish(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ path, words, files }) => {
    const below = entries.filter((one) => one.path.startsWith(path === '' ? '' : `${path} `) && one.path !== path)
    const names = below.map((one) => one.path.slice(path.length).trim().split(' ')[0])
    const seen = path
      .split(' ')
      .filter(Boolean)
      .map((word) => `__fish_seen_subcommand_from ${word}`)
    const unseen = names.length > 0 ? [`not __fish_seen_subcommand_from ${[...new Set(names)].join(' ')}`] : []
    const condition = [...seen, ...unseen].join('; and ') || 'true'
    return [`complete -c assay ${files ? '-F' : '-f'} -n '${condition}' -a '${words.join(' ')}'`]
  })
  return `# assay completion for fish\n${lines.join('\n')}\n`
}

const pathsOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ path }) => (path === '' ? [] : [path.replaceAll(' ', '/')])).join(' ')
