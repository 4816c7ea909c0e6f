// Plants each bug of mutants.json in a copy of the solution, one at a time, and prints which the tests notice.
//
//   node tests/mutations/run.js [--only 3,17] [--whole]
//
// All bugs are compiled at once, each behind a switch of its own (the environment variable MUTANT), so that the copy is built
// once. A bug is tried against the tests that its entry names, and with --whole, where those do not notice it, against all
// tests. Exits with 1 when fewer are noticed than have to be.
'use strict';
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const MUST_BE_NOTICED = 76 / 80;
const LONGEST_TRY_MS = 10 * 60_000;
const LONGEST_BUILD_MS = 40 * 60_000;
const root = path.resolve(__dirname, '../..');

const SWITCH = `namespace ScaleOut;

public static class Mutant
{
    private static readonly string? Current = Environment.GetEnvironmentVariable("MUTANT");

    public static bool Is(string number) => Current == number;
}
`;

function readOptions(args) {
  const options = { only: null, whole: false };
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--whole') options.whole = true;
    else if (args[at] === '--only' && at + 1 < args.length) options.only = new Set(args[++at].split(',').map(Number));
    else throw new Error(`Unknown argument '${args[at]}'; there are --only <numbers> and --whole.`);
  }
  return options;
}

function copySolution(folder) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0').filter(Boolean);
  for (const file of files.filter(name => fs.existsSync(path.join(root, name)))) {
    const target = path.join(folder, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(path.join(root, file), target);
  }
  fs.writeFileSync(path.join(folder, 'Shared/Mutant.cs'), SWITCH);
  return files.filter(file => file.endsWith('.cs'));
}

// The test projects with their tests' full names. The Function App's are left out: they need packages that a source may lack.
function readTestProjects(sources) {
  const projects = new Map();
  for (const file of sources.filter(name => /^tests\/\w+\.Tests\//.test(name) && !name.startsWith('tests/Orchestrator.Tests/'))) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    const namespace = /^namespace ([\w.]+);/m.exec(text)?.[1];
    const names = [...text.matchAll(/^public (?:\w+ )*class (\w+)/gm)].map(found => `${namespace}.${found[1]}`);
    const methods = [...text.matchAll(/^    public [^\n(=]*?(\w+_\w+_\w+)\(/gm)].map(found => found[1]);
    const project = file.split('/')[1];
    projects.set(project, [...(projects.get(project) ?? []), ...names.flatMap(name => [name, ...methods.map(one => `${name}.${one}`)])]);
  }
  return projects;
}

// Every bug must fit its file exactly once, so that a change of the code cannot make one vanish unseen.
function plant(folder, sources, mutants) {
  const errors = [];
  for (const mutant of mutants) {
    const files = sources.filter(file => path.basename(file) === mutant.file && !file.startsWith('tests/'));
    if (files.length !== 1) {
      errors.push(`${mutant.number}: there are ${files.length} files named ${mutant.file}`);
      continue;
    }
    mutant.folder = path.posix.dirname(files[0]);
    const file = path.join(folder, files[0]);
    const parts = fs.readFileSync(file, 'utf8').split(mutant.old);
    if (parts.length !== 2) errors.push(`${mutant.number}: ${files[0]} has '${mutant.old}' ${parts.length - 1} times`);
    else fs.writeFileSync(file, parts.join(mutant.new.replaceAll('{on}', `global::ScaleOut.Mutant.Is("${mutant.number}")`)));
  }
  if (errors.length > 0) throw new Error(`mutants.json does not fit the code:\n${errors.join('\n')}`);
}

function dotnet(folder, args, { mutant = '', timeout = LONGEST_TRY_MS } = {}) {
  const env = { ...process.env, MUTANT: String(mutant) };
  return spawnSync('dotnet', args, { cwd: folder, encoding: 'utf8', env, timeout, maxBuffer: 1 << 28 });
}

const FAILED = /^\s*(\S+?)(?:\(.*)? \[FAIL\][\s\S]{0,2000}/m;

function whatItSaid(result) {
  if (result.error?.code === 'ETIMEDOUT') return 'hangs';
  const failed = FAILED.exec(result.stdout);
  return failed ? failed[1].split('.').slice(-2).join('.') : (result.stdout + result.stderr).trim().split('\n').pop();
}

// Runs the tests whose full names contain one of the names, those of one project after the other, until one fails.
function test(folder, projects, names, mutant, timeout = LONGEST_TRY_MS) {
  let ran = 0;
  for (const project of projects.keys()) {
    const own = names?.filter(name => projects.get(project).some(full => full.includes(name)));
    if (own?.length === 0) continue;
    const assembly = `tests/${project}/bin/Release/net10.0/ScaleOut.Tests.${project.replace('.Tests', '')}.dll`;
    const filters = (own ?? []).flatMap(name => ['-method', `*${name}*`]).concat('-explicit', own ? 'on' : 'off');
    const result = dotnet(folder, [assembly, '-noColor', '-stopOnFail', ...filters], { mutant, timeout });
    const total = Number(/Total: (\d+)/.exec(result.stdout)?.[1] ?? 0);
    if (result.status !== 0 || total === 0)
      return { passed: false, said: whatItSaid(result), failure: FAILED.exec(result.stdout)?.[0] ?? '' };
    ran += total;
  }
  return { passed: ran > 0, said: `${ran} tests`, failure: '' };
}

// How many bugs of each folder were noticed.
function printFolders(mutants) {
  const folders = [...new Set(mutants.map(mutant => mutant.folder))].sort();
  const longest = Math.max(...folders.map(name => name.length));
  for (const name of folders) {
    const those = mutants.filter(mutant => mutant.folder === name);
    console.log(`${name.padEnd(longest)}  ${those.filter(mutant => mutant.noticed).length} of ${those.length}`);
  }
}

function main() {
  const options = readOptions(process.argv.slice(2));
  const all = JSON.parse(fs.readFileSync(path.join(__dirname, 'mutants.json'), 'utf8'))
    .map((mutant, index) => ({ number: index + 1, ...mutant }));
  const chosen = all.filter(mutant => options.only === null || options.only.has(mutant.number));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scaleout-mutants-'));
  try {
    const sources = copySolution(folder);
    const projects = readTestProjects(sources);
    plant(folder, sources, all);
    const quietly = ['--nologo', '-v', 'q', '-p:TreatWarningsAsErrors=false', '-p:RunAnalyzers=false', '-p:ReadyToRunImages=false'];
    for (const project of projects.keys()) {
      const build = dotnet(folder, ['build', `tests/${project}`, '-c', 'Release', ...quietly], { timeout: LONGEST_BUILD_MS });
      if (build.status !== 0) throw new Error(`The copy does not build: ${build.error?.code ?? ''}\n${build.stdout}`);
    }

    // All tests of all bugs at once take longer than those of one, above all on a busy machine.
    const sound = test(folder, projects, [...new Set(chosen.flatMap(mutant => mutant.tests))], '', LONGEST_BUILD_MS);
    if (!sound.passed) throw new Error(`Without a bug the tests must pass: ${sound.said}\n${sound.failure}`);

    for (const mutant of chosen) {
      let result = test(folder, projects, mutant.tests, mutant.number);
      if (result.passed && options.whole) result = test(folder, projects, null, mutant.number);
      mutant.noticed = !result.passed;
      const verdict = result.passed ? 'NOT NOTICED' : 'noticed    ';
      const by = result.passed ? '' : `  [${result.said}]`;
      console.log(`${String(mutant.number).padStart(2)}  ${mutant.area.padEnd(9)} ${verdict}  ${mutant.bug}${by}`);
    }
    printFolders(chosen);
    const noticed = chosen.filter(mutant => mutant.noticed).length;
    console.log(`noticed ${noticed} of ${chosen.length}`);
    process.exitCode = noticed >= chosen.length * MUST_BE_NOTICED ? 0 : 1;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main();
