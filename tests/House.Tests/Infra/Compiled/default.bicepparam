using '../../../../infra/main.bicep'

// The deployment as it is when nobody sets anything.
param environmentName = 'load'
param location = 'swedencentral'
param deployerType = 'User'
