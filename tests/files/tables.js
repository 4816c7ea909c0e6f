// The tables of an Application Insights component with their columns, in the names that its queries use:
// https://github.com/MicrosoftDocs/azure-docs/blob/056402bf50835a42517a4abbce147a76d559bfa1/articles/azure-monitor/app/apm-tables.md
const ofAll = [
  'timestamp: datetime, itemType: string, itemId: string, customDimensions: dynamic, iKey: string, appId: string, appName: string',
  'application_Version: string, sdkVersion: string, cloud_RoleName: string, cloud_RoleInstance: string',
  'operation_Id: string, operation_Name: string, operation_ParentId: string, operation_SyntheticSource: string',
  'session_Id: string, user_Id: string, user_AuthenticatedId: string, user_AccountId: string',
  'client_Browser: string, client_City: string, client_CountryOrRegion: string, client_IP: string, client_Model: string',
  'client_OS: string, client_StateOrProvince: string, client_Type: string',
].join(', ');
const counted = 'itemCount: int, customMeasurements: dynamic';
const call = 'id: string, name: string, duration: real, performanceBucket: string';
const thrown = ['assembly', 'method', 'outerAssembly', 'outerMessage', 'outerMethod', 'outerType',
  'innermostAssembly', 'innermostMessage', 'innermostMethod', 'innermostType'].map(name => `${name}: string`).join(', ');

const ofEach = {
  availabilityResults: `${counted}, ${call}, location: string, message: string, size: real, success: string`,
  browserTimings: `${counted}, name: string, url: string, performanceBucket: string, networkDuration: real, processingDuration: real, ` +
    'receiveDuration: real, sendDuration: real, totalDuration: real',
  customEvents: `${counted}, name: string`,
  customMetrics: 'name: string, value: real, valueCount: int, valueMax: real, valueMin: real, valueStdDev: real, valueSum: real',
  dependencies: `${counted}, ${call}, data: string, resultCode: string, success: string, target: string, type: string`,
  exceptions: `${counted}, type: string, message: string, problemId: string, handledAt: string, severityLevel: int, details: dynamic, ` +
    thrown,
  pageViews: `${counted}, ${call}, url: string`,
  performanceCounters: 'name: string, category: string, counter: string, instance: string, value: real',
  requests: `${counted}, ${call}, resultCode: string, source: string, success: string, url: string`,
  traces: `${counted}, message: string, severityLevel: int`,
};

/** Name and columns of each table. */
export const tables = [
  ...Object.entries(ofEach).map(([name, columns]) => [name, `(${ofAll}, ${columns})`]),
  // A function of the workspace, whose rule does not read the component:
  // https://learn.microsoft.com/azure/azure-monitor/logs/monitor-workspace
  ['_LogOperation', '(TimeGenerated: datetime, Category: string, Operation: string, Level: string, Detail: string)'],
];
