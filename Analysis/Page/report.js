// Draws the charts of a report: each figure holds its chart as data.
for (const figure of document.querySelectorAll('figure.chart')) {
  new ChartView(figure.querySelector('.picture')).show(JSON.parse(figure.querySelector('script').textContent));
}
