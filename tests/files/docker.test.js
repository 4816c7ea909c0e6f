// The Dockerfile by the checker of Docker's own language server, compose.yaml by Docker Compose where that is installed.
import { describe } from 'node:test';
import { validate } from 'dockerfile-utils';
import { acceptsAll, filesLike, findsPlanted, missing, root, run } from './files.js';

describe('Dockerfile', () => {
  const faultsIn = text => validate(text).map(fault => `line ${fault.range.start.line + 1}: ${fault.message}`);
  acceptsAll(filesLike(/(^|\/)Dockerfile$/), faultsIn);
  findsPlanted('Dockerfile', 'WORKDIR /src', 'WORKDR /src', /WORKDR/, faultsIn);
  findsPlanted('Dockerfile', 'EXPOSE 8081', 'EXPOSE port', /port/, faultsIn);
  findsPlanted('Dockerfile', '--interval=10s', '--intervall=10s', /intervall/, faultsIn);
});

describe('compose.yaml', { skip: missing('docker', 'compose', 'version') }, () => {
  const faultsIn = text => {
    const { succeeded, said } = run('docker', ['compose', '--file', '-', 'config', '--quiet'], { input: text, cwd: root });
    return succeeded ? [] : [said];
  };
  acceptsAll(['compose.yaml'], faultsIn);
  findsPlanted('compose.yaml', '127.0.0.1:10000:10000', '127.0.0.1:10000:blob', /blob|[Pp]ort/, faultsIn);
});
