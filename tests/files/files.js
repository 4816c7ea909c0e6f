// The files of the repository, and what all tests of them do: accept what is there, and find a mistake that is planted.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';

export const root = join(import.meta.dirname, '..', '..');

// What Git ignores is not of the repository.
const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(line => line.endsWith('/')).map(line => line.slice(0, -1))
  .concat('.git');

const filesIn = folder => readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
  const path = posix.join(folder, entry.name);
  if (entry.isDirectory())
    return ignored.includes(entry.name) ? [] : filesIn(path);
  return [path];
});
const all = filesIn('').sort();

/** Paths from the root, such as infra/main.bicep. */
export function filesLike(pattern) {
  const files = all.filter(path => pattern.test(path));
  assert.notEqual(files.length, 0, `no file is like ${pattern}`);
  return files;
}

export const read = path => readFileSync(join(root, path), 'utf8');

/** `faultsIn(text, path)` gives what is wrong, as texts. */
export function acceptsAll(paths, faultsIn) {
  for (const path of paths)
    test(path, async () => assert.deepEqual(await faultsIn(read(path), path), []));
}

/** In the text of a file one thing is replaced by another, which must be found, and said. */
export function findsPlanted(path, from, to, says, faultsIn) {
  test(`planted in ${path}: ${to.trim().split('\n').at(-1) || `no ${from.trim()}`}`, async () => {
    const text = read(path);
    assert.ok(text.includes(from), `${path} has no ${from}`);
    const faults = await faultsIn(text.replace(from, () => to), path);
    assert.match(faults.join('\n'), says);
  });
}

/** What a program says of a file, or why the program cannot be asked. */
export function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options });
  return { succeeded: status === 0, said: error ? error.message : stdout + stderr };
}

/** False if the program is there, otherwise the reason for which its tests are skipped. */
export function missing(program, ...args) {
  return run(program, args).succeeded ? false : `${[program, ...args].join(' ')}: not there`;
}
