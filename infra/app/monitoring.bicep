@description('Name of the Log Analytics workspace.')
param workspaceName string
@description('Name of the Application Insights component.')
param componentName string
@description('Region.')
param location string
@description('Tags of workspace and component.')
param tags object
@description('Most telemetry a day, in GB.')
param dailyQuotaGB int

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' = {
  name: workspaceName
  location: location
  tags: tags
  properties: {
    sku: { name: 'PerGB2018' }
    // Of tables without a period of their own. Those of Application Insights have one, whatever stands here: see app/retention.bicep.
    retentionInDays: 30
    features: { disableLocalAuth: true }
    workspaceCapping: { dailyQuotaGb: dailyQuotaGB }
  }
}

resource component 'Microsoft.Insights/components@2020-02-02' = {
  name: componentName
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    IngestionMode: 'LogAnalytics'
    WorkspaceResourceId: workspace.id
    // Host and worker both read APPLICATIONINSIGHTS_AUTHENTICATION_STRING and send as the identity, so nobody needs the key.
    DisableLocalAuth: true
  }
}

output componentName string = component.name
output componentId string = component.id
output componentConnectionString string = component.properties.ConnectionString
output workspaceName string = workspace.name
output workspaceId string = workspace.id
