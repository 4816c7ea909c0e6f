using ScaleOut.DevBox.Commands;

return await CommandLine.InvokeAsync(args);
