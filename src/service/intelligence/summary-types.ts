export type SummaryType = "general" | "concise" | "bullet_points";
