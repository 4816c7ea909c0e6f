// What one principal needs to send telemetry.

@description('Object id of the principal.')
param principalId string
@description('ServicePrincipal, User or Group; empty where it is not known.')
param principalType string
@description('Name of the Application Insights component.')
param componentName string

// A built-in role by the id that Azure gives it in every tenant.
var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'

// With a type, a principal that was created moments ago is accepted before it is known everywhere.
var knownType = empty(principalType) ? null : principalType

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: componentName
}

resource telemetryAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(component.id, principalId, monitoringMetricsPublisher)
  scope: component
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', monitoringMetricsPublisher)
    principalId: principalId
    principalType: knownType
  }
}
