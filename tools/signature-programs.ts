import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '#testing/processes/find-program.ts'
import { codeBlocks, readDocument } from './markdown.ts'
import type { SignatureCase } from './signature-cases.ts'

/** What the page shows for a language. */
interface Program {
  readonly language: string
  /** A part of the one block of code that is meant. */
  readonly has: string
  readonly isHere: () => boolean
  readonly command: string
  readonly args: readonly string[]
  readonly file: string
  /** The block with what reads the cases from standard input and prints what it makes of each. */
  readonly around: (code: string) => string
}

const page = readDocument('docs/verifying-signatures.md')

/** The languages that have no JSON of their own read lines: name, secret, id, time, signatures and body, in base64. */
const lines = ({ name, secret, headers, body }: SignatureCase): string =>
  [name, secret, headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature'], body]
    .map((part = '') => Buffer.from(part).toString('base64'))
    .join('\t')

const inNode = (language: string, name: string): Program => ({
  language,
  has: `function ${name}(`,
  isHere: () => true,
  command: process.execPath,
  args: [],
  file: 'verify.mjs',
  around: (code) => `${code}
import { readFileSync } from 'node:fs'
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [name, secret, id, time, signatures, body] = line.split('\\t').map((part) => Buffer.from(part, 'base64'))
  const headers = { 'webhook-id': String(id), 'webhook-timestamp': String(time), 'webhook-signature': String(signatures) }
  console.log(name + ': ' + ${name}(String(secret), headers, body))
}`,
})

const inPython = (language: string, name: string, needs: string): Program => ({
  language,
  has: `def ${name}(`,
  isHere: () => spawnSync('python3', ['-c', needs]).status === 0,
  command: 'python3',
  args: [],
  file: 'verify.py',
  around: (code) => `${code}
import base64, sys
for line in sys.stdin.read().split("\\n"):
    name, secret, id, timestamp, signatures, body = map(base64.b64decode, line.split("\\t"))
    headers = {"webhook-id": id.decode(), "webhook-timestamp": timestamp.decode(), "webhook-signature": signatures.decode()}
    print(name.decode() + ": " + str(${name}(secret.decode(), headers, body)).lower())`,
})

const go: Program = {
  language: 'Go',
  has: 'func IsAuthentic(',
  isHere: () => findProgram('go') !== undefined,
  command: 'go',
  args: ['run'],
  file: 'verify.go',
  around: (
    code,
  ) => `${code.replace('package webhooks', 'package main').replace('import (', 'import (\n"bufio"\n"fmt"\n"os"')}
func main() {
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		parts := strings.Split(scanner.Text(), "\\t")
		for index, part := range parts {
			decoded, _ := base64.StdEncoding.DecodeString(part)
			parts[index] = string(decoded)
		}
		header := http.Header{}
		header.Set("webhook-id", parts[2])
		header.Set("webhook-timestamp", parts[3])
		header.Set("webhook-signature", parts[4])
		fmt.Printf("%s: %t\\n", parts[0], IsAuthentic(parts[1], header, []byte(parts[5])))
	}
}`,
}

const java: Program = {
  language: 'Java',
  has: 'final class Webhooks',
  isHere: () => findProgram('javac') !== undefined,
  command: 'java',
  args: ['-Dstdout.encoding=UTF-8'],
  file: 'Webhooks.java',
  around: (code) => `${code.trimEnd().replace(/\}$/, '')}
    public static void main(String[] none) throws Exception {
        for (String line : new String(System.in.readAllBytes(), UTF_8).split("\\n")) {
            byte[][] parts = java.util.stream.Stream.of(line.split("\\t", -1)).map(Base64.getDecoder()::decode).toArray(byte[][]::new);
            String[] text = java.util.stream.Stream.of(parts).map(part -> new String(part, UTF_8)).toArray(String[]::new);
            System.out.println(text[0] + ": " + isAuthentic(text[1], text[2], text[3], text[4], parts[5]));
        }
    }
}`,
}

const php: Program = {
  language: 'PHP',
  has: 'function is_authentic(',
  isHere: () => findProgram('php') !== undefined,
  command: 'php',
  args: [],
  file: 'verify.php',
  around: (code) => `${code}
foreach (explode("\\n", file_get_contents('php://stdin')) as $line) {
    [$name, $secret, $id, $time, $signatures, $body] = array_map('base64_decode', explode("\\t", $line));
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $time, 'webhook-signature' => $signatures];
    echo "$name: ", is_authentic($secret, $headers, $body) ? 'true' : 'false', "\\n";
}`,
}

const ruby: Program = {
  language: 'Ruby',
  has: 'def authentic?(',
  isHere: () => findProgram('ruby') !== undefined,
  command: 'ruby',
  args: [],
  file: 'verify.rb',
  around: (code) => `${code}
$stdin.read.split("\\n").each do |line|
  name, secret, id, timestamp, signatures, body = line.split("\\t", -1).map { |part| part.unpack1("m0") }
  headers = { "webhook-id" => id, "webhook-timestamp" => timestamp, "webhook-signature" => signatures }
  puts "#{name}: #{authentic?(secret, headers, body)}"
end`,
}

/** The functions for a shared secret, and those for a key pair. */
export const programsForSecrets = [
  inNode('Node.js', 'isAuthentic'),
  inPython('Python', 'is_authentic', ''),
  go,
  java,
  php,
  ruby,
]
export const programsForKeyPairs = [
  inNode('Node.js', 'isAuthenticByKey'),
  inPython('Python', 'is_authentic_by_key', 'import cryptography'),
]

/** Runs the code of the page with the cases. @returns a line for each: its name, and whether it is believed. */
export const judge = ({ has, command, args, file, around }: Program, cases: readonly SignatureCase[]): string[] => {
  const block = codeBlocks(page).find(({ text }) => text.includes(has))
  if (block === undefined) throw new Error(`The page has no code with ${has}.`)
  const directory = mkdtempSync(join(tmpdir(), 'waybill-signatures-'))
  try {
    writeFileSync(join(directory, file), around(block.text))
    const input = cases.map(lines).join('\n')
    const options = { cwd: directory, input, encoding: 'utf8', env: { ...process.env, GO111MODULE: 'off' } } as const
    return execFileSync(command, [...args, file], options)
      .trim()
      .split('\n')
  } finally {
    rmSync(directory, { recursive: true })
  }
}

export const expectedOf = (cases: readonly SignatureCase[]): string[] =>
  cases.map(({ name, expected }) => `${name}: ${expected}`)
