@description('Name of the Cosmos DB account.')
@minLength(3)
@maxLength(44)
param name string
@description('Region.')
param location string
@description('Tags of the account.')
param tags object
@description('Most RU/s of all containers together, or -1.')
param throughputLimit int
@description('Whether the account is reached through private endpoints only.')
param isolated bool
@description('Address that may reach an isolated account from outside, or empty.')
param allowedIp string

resource account 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' = {
  name: name
  location: location
  tags: tags
  kind: 'GlobalDocumentDB'
  properties: {
    databaseAccountOfferType: 'Standard'
    locations: [
      {
        locationName: location
        failoverPriority: 0
        isZoneRedundant: false
      }
    ]
    consistencyPolicy: { defaultConsistencyLevel: 'Session' }
    capacity: { totalThroughputLimit: throughputLimit }
    disableLocalAuth: true
    minimalTlsVersion: 'Tls12'
    publicNetworkAccess: isolated && empty(allowedIp) ? 'Disabled' : 'Enabled'
    ipRules: isolated && !empty(allowedIp) ? [{ ipAddressOrRange: allowedIp }] : []
    networkAclBypass: 'None'
    enableAutomaticFailover: false
    enableMultipleWriteLocations: false
    // A burst would lift the measured rate above the RU/s that the run asked for.
    enableBurstCapacity: false
    backupPolicy: {
      type: 'Periodic'
      periodicModeProperties: {
        backupIntervalInMinutes: 240
        backupRetentionIntervalInHours: 8
        backupStorageRedundancy: 'Local'
      }
    }
  }
}

// Without throughput of its own: only a run's container has RU/s, and only as long as it exists.
resource database 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases@2025-10-15' = {
  parent: account
  name: 'scaleout'
  properties: {
    resource: { id: 'scaleout' }
  }
}

output name string = account.name
output id string = account.id
output databaseName string = database.name
output endpoint string = account.properties.documentEndpoint
