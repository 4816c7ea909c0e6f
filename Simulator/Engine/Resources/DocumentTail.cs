namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>The constant parts of the system properties that follow a document's own ones.</summary>
internal sealed record DocumentTail(byte[] BeforeRid, byte[] BeforeSelf, byte[] BeforeEtag, byte[] BeforeTimestamp);
