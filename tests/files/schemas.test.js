// Files that have a public schema, of schemas/, against it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Ajv from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import * as jsonc from 'jsonc-parser';
import { parseDocument } from 'yaml';
import { acceptsAll, filesLike, findsPlanted, read } from './files.js';

// Schemas have keywords for editors that ajv does not know, and words in other forms than it likes.
const options = { allErrors: true, strict: false };

function validatorOf(name) {
  const text = readFileSync(join(import.meta.dirname, 'schemas', name), 'utf8');
  const schema = JSON.parse(text);
  const drafts = { 'draft-04': Ajv04, '2019-09': Ajv2019 };
  const draft = Object.keys(drafts).find(draft => schema.$schema.includes(draft));
  const ajv = addFormats(new (drafts[draft] ?? Ajv)(options));
  // Parts of extensions, which this project has none of, are elsewhere: they accept everything.
  for (const [, elsewhere] of text.matchAll(/"\$ref": *"(https:[^"]+)"/g))
    if (!ajv.getSchema(elsewhere))
      ajv.addSchema({}, elsewhere);
  delete schema.$schema;
  return ajv.compile(schema);
}

function parse(text, path) {
  if (/\.ya?ml$/.test(path)) {
    const document = parseDocument(text);
    return [document.toJS(), [...document.errors, ...document.warnings].map(error => error.message)];
  }
  const errors = [];
  // devcontainer.json may have comments; host.json and the settings are read by parsers that take none.
  const value = jsonc.parse(text, errors, { disallowComments: !path.includes('devcontainer') });
  return [value, errors.map(error => `${jsonc.printParseErrorCode(error.error)} at character ${error.offset}`)];
}

function by(schema) {
  const isValid = validatorOf(schema);
  return (text, path) => {
    const [value, faults] = parse(text, path);
    if (faults.length > 0 || isValid(value))
      return faults;
    return isValid.errors.map(error => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
  };
}

describe('azure.yaml', () => {
  const faultsIn = by('azure.yaml.json');
  acceptsAll(['azure.yaml'], faultsIn);
  findsPlanted('azure.yaml', '  azd: ">=', '  azdd: ">=', /azdd/, faultsIn);
  findsPlanted('azure.yaml', 'provider: github', 'provider: gitlab', /\/pipeline\/provider/, faultsIn);
  findsPlanted('azure.yaml', '    host: function\n', '', /host/, faultsIn);
  findsPlanted('azure.yaml', 'continueOnError: true', 'continueOnErrors: true', /continueOnErrors/, faultsIn);
});

describe('host.json', () => {
  // The schema does not have these yet. The extension that the app publishes does: DurableTaskOptions, and AddDurableTask for the type.
  const newer = {
    durableTask: ['defaultVersion', 'versionMatchStrategy', 'versionFailureStrategy', 'maxConcurrentEntityFunctions'],
    storageProvider: ['type'],
  };
  const isValid = by('host.json');
  const faultsIn = (text, path) => isValid(Object.values(newer).flat().reduce(without, text), path);
  const without = (text, name) => text.replace(new RegExp(`\\s*"${name}": [^,{}]*,`), '');

  acceptsAll(['host.json'], faultsIn);
  for (const [parent, names] of Object.entries(newer))
    for (const name of names)
      test(`the schema does not have ${parent}.${name}`, () => {
        const faults = isValid(read('host.json'), 'host.json').join('\n');
        assert.match(faults, new RegExp(`/${parent} .*"${name}"`));
      });
  findsPlanted('host.json', '"batchSize": 16', '"batchSize": "16"', /batchSize/, faultsIn);
  findsPlanted('host.json', '"functionTimeout": "01:45:00"', '"functionTimeout": "105 minutes"', /functionTimeout/, faultsIn);
  findsPlanted('host.json', '"version": "2.0",', '"version": "2.0" // comment\n', /Comma|Comment/, faultsIn);
});

describe('local settings', () => {
  const faultsIn = by('local-settings.json');
  acceptsAll(filesLike(/^local\.settings\.(.+\.)?sample\.json$/), faultsIn);
  findsPlanted('local.settings.sample.json', '"IsEncrypted": false', '"IsEncrypted": "no"', /IsEncrypted/, faultsIn);
  findsPlanted('local.settings.sample.json', '"dotnet-isolated"', '"net"', /FUNCTIONS_WORKER_RUNTIME/, faultsIn);
});

describe('devcontainer.json', () => {
  const faultsIn = by('devcontainer.json');
  acceptsAll(filesLike(/^\.devcontainer\/(.+\/)?devcontainer\.json$/), faultsIn);
  findsPlanted('.devcontainer/devcontainer.json', '"memory": "8gb"', '"memory": "8 GB"', /memory/, faultsIn);
  findsPlanted('.devcontainer/devcontainer.json', '"forwardPorts"', '"forwardPort"', /forwardPort/, faultsIn);
});

describe('compose.yaml', () => {
  const faultsIn = by('compose.json');
  acceptsAll(['compose.yaml'], faultsIn);
  findsPlanted('compose.yaml', 'command:', 'comand:', /comand/, faultsIn);
});

const path = '.github/dependabot.yml';
describe('Dependabot', () => {
  const faultsIn = by('dependabot.json');
  acceptsAll([path], faultsIn);
  findsPlanted(path, 'package-ecosystem: ', 'package-ecosystem: x-', /package-ecosystem/, faultsIn);
  findsPlanted(path, 'interval: ', 'intervall: ', /interval/, faultsIn);
});

describe('workbook', () => {
  const faultsIn = by('workbook.json');
  acceptsAll(['infra/workbook/workbook.json'], faultsIn);
  findsPlanted('infra/workbook/workbook.json', '"type": 9', '"type": 99', /\/items\/1/, faultsIn);
  findsPlanted('infra/workbook/workbook.json', '"version": "Notebook/1.0",', '', /version/, faultsIn);
});
