import type { Company } from "#provider/contract/company.ts";
import { Avatar, imageSrc } from "../../components/avatar.tsx";
import { Facts, mailFact } from "../../components/facts.tsx";

/** The company profile as it is read. */
export const CompanyFacts = ({ company }: { company: Company }) => (
  <Facts
    facts={[
      ["Name", company.name],
      ["Email", mailFact(company.email)],
      ["Image", <Avatar key="img" name={company.name} src={imageSrc("company", company.img)} />],
      ["Phone number", company.phone],
      ["Country", company.country],
      ["City", company.city],
      ["Index", company.index],
      ["Address", company.address],
      ["Active", company.active ? "Yes" : "No"],
      ["Time zone", company.timezone],
    ]}
  />
);
