import { buildCommand } from '@stricli/core'
import { text } from '../flags.ts'

const passedOn = {
  positional: { kind: 'array', parameter: { parse: text, brief: 'What the program takes', placeholder: 'arguments' } },
} as const

const bench = buildCommand<object, string[]>({
  loader: async () => (await import('./run-tool.ts')).runBench,
  parameters: passedOn,
  docs: {
    brief: 'Measure this version on this machine',
    fullDescription:
      'Measures this version on this machine, each figure beside its limit of the same run. In a checkout only. What the program takes follows --, as in waybill bench -- delivery.',
  },
})

const chaos = buildCommand<object, string[]>({
  loader: async () => (await import('./run-tool.ts')).runChaos,
  parameters: passedOn,
  docs: {
    brief: 'Make trouble at random, and count what is lost',
    fullDescription:
      'Makes trouble of every kind, at random, and counts what is lost. In a checkout only. What the program takes follows --, as in waybill chaos -- --minutes 1.',
  },
})

const completion = buildCommand<object, ['bash' | 'zsh']>({
  loader: async () => (await import('./completion.ts')).printCompletion,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: (input: string) => shellOf(input),
          brief: 'bash or zsh',
          placeholder: 'shell',
          proposeCompletions: () => ['bash', 'zsh'],
        },
      ],
    },
  },
  docs: {
    brief: 'Print what makes a shell complete commands and flags',
    fullDescription:
      'Prints what makes a shell complete commands and flags: source <(waybill completion bash), in ~/.bashrc or ~/.zshrc.',
  },
})

const shellOf = (input: string): 'bash' | 'zsh' => {
  if (input === 'bash' || input === 'zsh') return input
  throw new Error('It must be bash or zsh.')
}

export const toolCommands = { bench, chaos, completion }
