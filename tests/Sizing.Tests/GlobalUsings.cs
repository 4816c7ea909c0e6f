global using ScaleOut.Analysis.Limits;
global using ScaleOut.Analysis.Reports;
global using ScaleOut.Analysis.Text;
global using ScaleOut.Sizing;
global using ScaleOut.Sizing.Prediction;
global using ScaleOut.Workers.Documents;
global using ScaleOut.Workers.Legs;
global using ScaleOut.Workers.Operations;
