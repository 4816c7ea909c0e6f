using ScaleOut.Workers.Measuring;

namespace ScaleOut.Workers.Telemetry;

/// <summary>Follows one leg until it is disposed of, which tells of the last interval and waits for nobody.</summary>
public interface ILegRecording : IAttemptObserver, IAsyncDisposable;
