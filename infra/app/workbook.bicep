@description('Region.')
param location string
@description('Tags of the workbook.')
param tags object
@description('Resource id of the Application Insights component that it reads.')
param componentId string

// In workbook.json a query is the name of its file, and the component is the word "component": both are replaced here.
var queries = {
  'calls-per-operation.kql': loadTextContent('../workbook/calls-per-operation.kql')
  'instances-per-run.kql': loadTextContent('../workbook/instances-per-run.kql')
  'exceptions.kql': loadTextContent('../workbook/exceptions.kql')
  'latency.kql': loadTextContent('../workbook/latency.kql')
  'request-units-per-partition.kql': loadTextContent('../workbook/request-units-per-partition.kql')
  'request-units-per-partition-over-time.kql': loadTextContent('../workbook/request-units-per-partition-over-time.kql')
  'ended-runs.kql': loadTextContent('../workbook/ended-runs.kql')
  'choice-of-run.kql': loadTextContent('../workbook/choice-of-run.kql')
  'throttled.kql': loadTextContent('../workbook/throttled.kql')
  'throughput-per-worker.kql': loadTextContent('../workbook/throughput-per-worker.kql')
  'volume.kql': loadTextContent('../workbook/volume.kql')
}
var template = replace(loadTextContent('../workbook/workbook.json'), '"component"', '"${componentId}"')

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(resourceGroup().id, 'scale-out runs')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: 'Scale-out runs'
    description: 'Throughput, request units, 429s, instances, calls and latency of a run.'
    category: 'workbook'
    sourceId: componentId
    version: 'Notebook/1.0'
    // string() of an array is its JSON, which escapes the text; the brackets around it go.
    serializedData: reduce(
      items(queries),
      template,
      (text, query) => replace(text, '"${query.key}"', substring(string([query.value]), 1, max(length(string([query.value])) - 2, 0)))
    )
  }
}

output id string = workbook.id
