@description('Name of the storage account.')
@minLength(3)
@maxLength(24)
param name string
@description('Region.')
param location string
@description('Tags of the account.')
param tags object
@description('Whether the account is reached through private endpoints only.')
param isolated bool
@description('Address that may reach an isolated account from outside, or empty.')
param allowedIp string

resource account 'Microsoft.Storage/storageAccounts@2025-06-01' = {
  name: name
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
  properties: {
    accessTier: 'Hot'
    allowBlobPublicAccess: false
    allowSharedKeyAccess: false
    allowCrossTenantReplication: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: isolated && empty(allowedIp) ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: isolated ? 'None' : 'AzureServices'
      defaultAction: isolated ? 'Deny' : 'Allow'
      ipRules: isolated && !empty(allowedIp)
        ? [
            {
              value: allowedIp
              action: 'Allow'
            }
          ]
        : []
    }
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-06-01' = {
  parent: account
  name: 'default'
  properties: {
    // What is deleted is gone: nothing here is worth a bill after its deletion.
    deleteRetentionPolicy: { enabled: false }
    containerDeleteRetentionPolicy: { enabled: false }
  }
}

resource packageContainer 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-06-01' = {
  parent: blobs
  name: 'app-package'
  properties: { publicAccess: 'None' }
}

resource runsContainer 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-06-01' = {
  parent: blobs
  name: 'runs'
  properties: { publicAccess: 'None' }
}

resource queues 'Microsoft.Storage/storageAccounts/queueServices@2025-06-01' = {
  parent: account
  name: 'default'
}

resource progressQueue 'Microsoft.Storage/storageAccounts/queueServices/queues@2025-06-01' = {
  parent: queues
  name: 'run-progress'
}

// The Functions host moves a message here that failed too often, and would create the queue itself.
resource poisonQueue 'Microsoft.Storage/storageAccounts/queueServices/queues@2025-06-01' = {
  parent: queues
  name: 'run-progress-poison'
}

output name string = account.name
output id string = account.id
output blobEndpoint string = account.properties.primaryEndpoints.blob
output queueEndpoint string = account.properties.primaryEndpoints.queue
output packageContainerName string = packageContainer.name
