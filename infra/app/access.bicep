// What one principal needs before the app starts: the app's own identity in Azure, a developer's identity for running it locally.
// Nothing here waits for Cosmos DB, which takes longest: the roles hold by the time the app is there. Its roles are in app/data-access.bicep.

@description('Object id of the principal.')
param principalId string
@description('ServicePrincipal, User or Group; empty where it is not known.')
param principalType string
@description('Name of the storage account.')
param storageName string
@description('Name of the Durable Task Scheduler.')
param schedulerName string
@description('Name of the Application Insights component.')
param componentName string

// Built-in roles by the ids that Azure gives them in every tenant.
var storageBlobDataOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
var storageQueueDataContributor = '974c5e8b-45b9-4653-ba55-5f855dd0fb88'
var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'
var durableTaskDataContributor = '0ad04412-c4d5-4796-b79c-f76d14c8d402'

// With a type, a principal that was created moments ago is accepted before it is known everywhere.
var knownType = empty(principalType) ? null : principalType

resource storage 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: storageName
}

resource scheduler 'Microsoft.DurableTask/schedulers@2026-02-01' existing = {
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
    principalType: knownType
  }
}

resource queueAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(storage.id, principalId, storageQueueDataContributor)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageQueueDataContributor)
    principalId: principalId
    principalType: knownType
  }
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

resource schedulerAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(scheduler.id, principalId, durableTaskDataContributor)
  scope: scheduler
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', durableTaskDataContributor)
    principalId: principalId
    principalType: knownType
  }
}
