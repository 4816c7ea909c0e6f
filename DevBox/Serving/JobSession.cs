namespace ScaleOut.DevBox.Serving;

/// <summary>A claimed run or experiment in the server, from its place in the queue to its end.</summary>
/// <param name="kind">The kind of job in messages, such as <c>run</c>.</param>
/// <param name="id">Its id.</param>
/// <param name="log">Receives the lines about the job.</param>
/// <param name="isResumed">Whether the job was begun before. Until it goes on, the former end in its folder holds.</param>
internal abstract class JobSession(string kind, string id, RunFolder folder, TextWriter log, bool isResumed) : IHostedWork
{
    /// <summary>The reason of a job that was stopped while it waited.</summary>
    public const string StoppedBeforeItBegan = "It was stopped before it began.";

    private const string StoppedBeforeItWentOn = "It was stopped before it went on.";

    public string Id => id;

    protected Lock Gate { get; } = new();

    protected RunFolder Folder => folder;

    protected TextWriter Log => log;

    protected bool IsResumed => isResumed;

    /// <summary>Whether the status shows how the job ended. Read it under <see cref="Gate"/>.</summary>
    protected bool EndIsShown { get; private set; }

    public async Task RunAsync()
    {
        try
        {
            await LogAsync(writer => writer.WriteLineAsync(Begin()));
            using var taken = RunLock.TryTake(folder) ?? throw new InputException($"{kind} '{id}' is being run by another process.");
            await ExecuteAsync();
        }
        catch (Exception e)
        {
            // Writing the details must not create a deleted folder again.
            ErrorLines.WriteUnexpected(e, Directory.Exists(folder.FullPath) ? folder.OwnLog : null);
            await FailAsync(OneLine.From(e.Message));
        }
    }

    public async Task GiveUpAsync()
    {
        try
        {
            if (!isResumed)
                await TryNoteEndAsync(StoppedBeforeItBegan);
        }
        finally
        {
            EndBeforeItBegan(isResumed ? StoppedBeforeItWentOn : StoppedBeforeItBegan);
        }
    }

    public void ShowEnd()
    {
        lock (Gate)
            EndIsShown = true;
    }

    public abstract void Stop();

    public abstract void Kill();

    public abstract void Dispose();

    /// <returns>The line that announces the job.</returns>
    protected abstract string Begin();

    /// <summary>Runs the job to its end, and writes its result to the log.</summary>
    protected abstract Task ExecuteAsync();

    protected abstract Task FailAsync(string reason);

    protected abstract void EndBeforeItBegan(string reason);

    /// <summary>Notes in the run store that a job ended before it began.</summary>
    protected abstract Task NoteEndAsync(FolderRunStore store, string reason);

    /// <summary>Writes to the log. A job continues if its log cannot be written.</summary>
    protected async Task LogAsync(Func<TextWriter, Task> writeAsync)
    {
        try
        {
            await writeAsync(log);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The error cannot be reported anywhere else.
        }
    }

    /// <summary>Notes the end of a job that never began, so that the next server does not treat it as interrupted.</summary>
    protected async Task TryNoteEndAsync(string reason)
    {
        try
        {
            await NoteEndAsync(new FolderRunStore(folder.RunsFolder), reason);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await LogAsync(writer => writer.WriteLineAsync($"error: {kind} {id}: {OneLine.From(e.Message)}"));
        }
    }
}
