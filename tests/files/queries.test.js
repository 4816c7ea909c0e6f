// Every query, parsed and bound to the tables of Application Insights by the language service that the portal's editor uses.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { acceptsAll, filesLike, findsPlanted, read } from './files.js';
import { tables } from './tables.js';

const require = createRequire(import.meta.url);
require('@kusto/language-service-next/bridge.min.js');
require('@kusto/language-service-next/Kusto.Language.Bridge.min.js');
const { GlobalState, KustoCode, Symbols } = globalThis.Kusto.Language;

const component = new Symbols.DatabaseSymbol.$ctor1('component', tables.map(([name, columns]) =>
  new Symbols.TableSymbol.$ctor7(name, columns, null)), false);
const globals = GlobalState.Default.WithDatabase(component);

function faultsIn(query) {
  const found = KustoCode.ParseAndAnalyze(withValues(query), globals).GetDiagnostics();
  return Array.from({ length: found.Count }, (_, at) => found.getItem(at))
    .map(fault => `${fault.Severity}: ${fault.Message} (at ${query.slice(fault.Start, fault.Start + 40).split('\n')[0]})`);
}

// A workbook puts the value of a parameter into the text of the query. A drop-down's value is text, here a run's id.
const DROP_DOWN = 2;
const dropDowns = JSON.parse(read('infra/workbook/workbook.json')).items
  .flatMap(item => item.content.parameters ?? []).filter(parameter => parameter.type === DROP_DOWN).map(parameter => parameter.name);
const withValues = query => query.replace(/\{(\w+)\}/g, (text, name) => dropDowns.includes(name) ? 'a-run' : text);

// In a document a query is code that begins with a table or with union, and goes on with a pipe. A pipe within a table is \|.
function queriesOf(path) {
  const code = [...read(path).matchAll(/```.*?```|`([^`]+)`/gs)].flatMap(match => match[1]?.replaceAll('\\|', '|') ?? []);
  return code.filter(text => /^union /.test(text) || /^[a-z]+[A-Za-z]* \| (where|summarize|project|extend|order|take|join) /.test(text));
}

describe('queries in files of their own', () => acceptsAll(filesLike(/^infra\/.*\.kql$/), faultsIn));

describe('queries in documents', () => {
  for (const path of filesLike(/^(infra|docs)\/.*\.md$/))
    for (const query of queriesOf(path))
      test(`${path}: ${query}`, () => assert.deepEqual(faultsIn(query), []));

  test('each row of the checklist that asks the logs has its query', () => {
    const asks = read('infra/FIRST-DEPLOYMENT.md').split('\n').filter(line => /^\| \d+ \|.*\bin logs `/.test(line));
    const found = queriesOf('infra/FIRST-DEPLOYMENT.md');
    assert.notEqual(asks.length, 0);
    for (const row of asks)
      assert.ok(found.some(query => row.replaceAll('\\|', '|').includes(query)), row);
  });
});

describe('planted mistakes', () => {
  const timers = 'infra/alert-queries/silent-timer.kql';
  findsPlanted(timers, 'max(timestamp)', 'max(timestmp)', /'timestmp' does not refer to any known column/, faultsIn);
  findsPlanted(timers, '| summarize', '| sumarize', /sumarize/, faultsIn);
  findsPlanted(timers, 'requests\n', 'request\n', /'request' does not refer to any known table/, faultsIn);
  findsPlanted(timers, 'let oldest', 'let first', /first/, faultsIn);
  findsPlanted(timers, 'let oldest', 'let earliest', /earliest/, faultsIn);
  findsPlanted('infra/workbook/latency.kql', 'minif(', 'minimumif(', /minimumif/, faultsIn);
});
