namespace ScaleOut.Tests.Support.Azurite;

/// <summary>Azurite cannot be had on this machine; the message says why.</summary>
public sealed class AzuriteUnavailableException(string message) : Exception(message);
