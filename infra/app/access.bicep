@description('Object id of the app\'s identity.')
param principalId string
@description('Object id of who may open the scheduler\'s dashboard, or empty.')
param dashboardPrincipalId string
@description('Name of the storage account.')
param storageName string
@description('Name of the Cosmos DB account.')
param cosmosName string
@description('Name of the Durable Task Scheduler.')
param schedulerName string
@description('Name of the Application Insights component.')
param componentName string

// Built-in roles by the ids that Azure gives them in every tenant.
var storageBlobDataOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
var storageQueueDataContributor = '974c5e8b-45b9-4653-ba55-5f855dd0fb88'
var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'
var durableTaskDataContributor = '0ad04412-c4d5-4796-b79c-f76d14c8d402'
// A role of Cosmos DB's own: items and metadata, no containers, no throughput.
var cosmosDataContributor = '00000000-0000-0000-0000-000000000002'

resource storage 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: storageName
}

resource cosmos 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' existing = {
  name: cosmosName
}

resource scheduler 'Microsoft.DurableTask/schedulers@2025-11-01' existing = {
  name: schedulerName
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: componentName
}

resource blobAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(storage.id, principalId, storageBlobDataOwner)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataOwner)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

resource queueAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(storage.id, principalId, storageQueueDataContributor)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageQueueDataContributor)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

resource telemetryAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(component.id, principalId, monitoringMetricsPublisher)
  scope: component
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', monitoringMetricsPublisher)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

resource schedulerAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(scheduler.id, principalId, durableTaskDataContributor)
  scope: scheduler
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', durableTaskDataContributor)
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

resource dashboardAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(dashboardPrincipalId)) {
  name: guid(scheduler.id, dashboardPrincipalId, durableTaskDataContributor)
  scope: scheduler
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', durableTaskDataContributor)
    principalId: dashboardPrincipalId
  }
}

resource documentAccess 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2025-10-15' = {
  parent: cosmos
  name: guid(cosmos.id, principalId, cosmosDataContributor)
  properties: {
    roleDefinitionId: '${cosmos.id}/sqlRoleDefinitions/${cosmosDataContributor}'
    principalId: principalId
    scope: cosmos.id
  }
}

// An identity cannot manage containers on the data plane, and the built-in roles that can on Resource Manager may also delete the account.
resource containerRole 'Microsoft.Authorization/roleDefinitions@2022-04-01' = {
  name: guid(cosmos.id, 'container operator')
  properties: {
    // Unique in the tenant, as role names must be.
    roleName: 'Container operator of ${cosmos.name}'
    description: 'Reads the Cosmos DB account and its databases; creates, re-scales and deletes containers. No keys, no documents, no account settings.'
    type: 'CustomRole'
    assignableScopes: [resourceGroup().id]
    permissions: [
      {
        actions: [
          'Microsoft.DocumentDB/databaseAccounts/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/throughputSettings/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/write'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/delete'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/operationResults/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/write'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/operationResults/read'
        ]
        notActions: []
        dataActions: []
        notDataActions: []
      }
    ]
  }
}

resource containerAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(cosmos.id, principalId, containerRole.id)
  scope: cosmos
  properties: {
    roleDefinitionId: containerRole.id
    principalId: principalId
    principalType: 'ServicePrincipal'
  }
}

output containerRoleName string = containerRole.name
