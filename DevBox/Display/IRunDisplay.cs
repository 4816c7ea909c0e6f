namespace ScaleOut.DevBox.Display;

/// <summary>Shows a run while it goes on.</summary>
internal interface IRunDisplay
{
    /// <summary>Shows the board until the work ends, however it ends, and gives back what it gave.</summary>
    Task<T> ShowWhileAsync<T>(RunBoard board, Task<T> work);
}
