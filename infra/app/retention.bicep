// How long the records of Application Insights are kept, if that is not the 90 days that its tables have by themselves. An update of a
// table fails while its workspace is seconds old ("Workspace not active"), so this comes at the end.

@description('Name of the Log Analytics workspace.')
param workspaceName string
@description('Days that the tables of Application Insights keep their records.')
param retentionDays int

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' existing = {
  name: workspaceName
}

// The tables that the app writes to. They keep records for 90 days at no charge, and take no notice of a shorter period of the workspace.
@batchSize(1)
resource tables 'Microsoft.OperationalInsights/workspaces/tables@2025-02-01' = [
  for table in ['AppDependencies', 'AppEvents', 'AppExceptions', 'AppMetrics', 'AppPerformanceCounters', 'AppRequests', 'AppTraces']: {
    parent: workspace
    name: table
    properties: {
      retentionInDays: retentionDays
      // Without it the difference to a longer period would stay as long-term retention.
      totalRetentionInDays: retentionDays
    }
  }
]
