// Workflows, by the parser and the checker of expressions that GitHub has for them.
import { register } from 'node:module';
import { describe } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { acceptsAll, filesLike, findsPlanted } from './files.js';

// The package imports JSON as bundlers take it, and Node wants to be told that it is.
register(`data:text/javascript,${encodeURIComponent(`export const load = (url, context, next) =>
  next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context);`)}`);
const { validate } = await import('@actions/languageservice');

// What was parsed is kept by its address, so each text has one of its own.
let texts = 0;
async function faultsIn(text, path) {
  const found = await validate(TextDocument.create(`file:///${++texts}/${path}`, 'yaml', 1, text));
  return found.map(fault => `line ${fault.range.start.line + 1}: ${fault.message}`);
}

const ci = '.github/workflows/ci.yml';

describe('workflows', () => acceptsAll(filesLike(/^\.github\/workflows\//), faultsIn));

describe('planted mistakes', () => {
  findsPlanted(ci, 'runs-on:', 'run-on:', /run-on/, faultsIn);
  findsPlanted(ci, 'timeout-minutes: 45', 'timeout-minutes: soon', /soon/, faultsIn);
  findsPlanted(ci, '${{ github.ref }}', '${{ github.reference }}', /reference/, faultsIn);
  findsPlanted(ci, '${{ github.ref }}', '${{ github.ref }', /expression/, faultsIn);
  findsPlanted(ci, '  infra:\n', '  infra:\n    needs: tests\n', /tests/, faultsIn);
});
