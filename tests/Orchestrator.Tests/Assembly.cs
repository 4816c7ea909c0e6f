[assembly: AssemblyFixture(typeof(ScaleOut.Tests.Support.Azurite.AzuriteFixture))]
