// Draws the charts of a report: each figure holds its chart as data. Says which tables scroll.
for (const figure of document.querySelectorAll('figure.chart')) {
  new ChartView(figure.querySelector('.picture')).show(JSON.parse(figure.querySelector('script').textContent));
}
for (const box of document.querySelectorAll('.scroll')) sayIfItScrolls(box);
