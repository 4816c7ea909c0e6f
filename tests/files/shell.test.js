// Scripts of the shell by ShellCheck, those of PowerShell by its own parser.
import { describe } from 'node:test';
import { acceptsAll, filesLike, findsPlanted, missing, run } from './files.js';

describe('shell', { skip: missing('shellcheck', '--version') }, () => {
  const faultsIn = text => {
    const { succeeded, said } = run('shellcheck', ['--format=gcc', '-'], { input: text });
    return succeeded ? [] : said.trim().split('\n');
  };
  const scripts = filesLike(/\.sh$|^\.ci\//);
  acceptsAll(scripts, faultsIn);
  findsPlanted('infra/hooks/predown.sh', '#!/bin/sh\n', '#!/bin/sh\nif true; then echo;\n', /parser|parse/, faultsIn);
  findsPlanted('infra/hooks/predown.sh', '#!/bin/sh\n', '#!/bin/sh\ncd $HOME/infra\n', /SC2086|SC2164/, faultsIn);
});

// tests/files/.config names the version of PowerShell.
const tool = { cwd: import.meta.dirname, env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' } };
const restored = run('dotnet', ['tool', 'restore'], tool);

describe('PowerShell', { skip: !restored.succeeded && `no PowerShell: ${restored.said.trim()}` }, () => {
  const parse = '$errors = $null; $text = [Console]::In.ReadToEnd(); ' +
    '[void][System.Management.Automation.Language.Parser]::ParseInput($text, [ref]$null, [ref]$errors); ' +
    '$errors | ForEach-Object { "line $($_.Extent.StartLineNumber): $($_.Message)" }';
  const faultsIn = text => {
    const { succeeded, said } = run('dotnet', ['tool', 'run', 'pwsh', '-NoProfile', '-Command', parse], { ...tool, input: text });
    return succeeded ? said.trim().split('\n').filter(Boolean) : [said];
  };
  acceptsAll(filesLike(/\.ps1$/), faultsIn);
  findsPlanted('infra/hooks/predown.ps1', '}', '', /Missing closing '}'/, faultsIn);
});
