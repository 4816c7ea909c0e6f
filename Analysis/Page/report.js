// Draws the charts of a report: each figure holds its chart as data. Says which tables scroll.
for (const figure of document.querySelectorAll('figure.chart')) {
  const chart = JSON.parse(figure.querySelector('script').textContent);
  const hosts = [...figure.querySelectorAll('.picture')];
  const views = chart.below.length > 0 ? stack(hosts) : [new ChartView(hosts[0])];
  [chart, ...chart.below].forEach((one, i) => views[i].show(one));
}
for (const box of document.querySelectorAll('.scroll')) sayIfItScrolls(box);

const COPIED_MS = 2000;
for (const next of document.querySelectorAll('.next')) {
  const copied = next.querySelector('code') ?? next;
  const text = copied.textContent;
  const button = make('button', '');
  button.type = 'button';
  button.append('Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without HTTPS there is no clipboard: the text is selected, to be copied by hand.
      getSelection().selectAllChildren(copied);
      return;
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, COPIED_MS);
  });
  next.append(button);
}

addEventListener('hashchange', reveal);
reveal();

/** Opens what the address leads to. */
function reveal() {
  const part = document.getElementById(location.hash.slice(1));
  const folded = part?.querySelector(':scope > details:not([open])');
  if (!folded) return;
  folded.open = true;
  part.scrollIntoView();
}
